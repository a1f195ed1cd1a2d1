import { type ReactNode, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { redirectDelayMs } from '../../../packages/contract/limits.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import type { IllustrationName } from '../ui/Icon.tsx'
import { Row, Stack, Text } from '../ui/layout.tsx'
import { CenteredPage } from './CenteredPage.tsx'
import './redirect-notice-page.css'

type RedirectNoticePageProps = {
  title: string
  drawing: IllustrationName
  children: ReactNode
  to: string
  /** The name of the target in a sentence: "the login page". */
  destination: string
}

/** A page with one message that then redirects. */
export const RedirectNoticePage = ({ title, drawing, children, to, destination }: RedirectNoticePageProps) => (
  <CenteredPage drawing={drawing} title={title} text={children}>
    <RedirectCountdown to={to} destination={destination} />
  </CenteredPage>
)

/** Opens `to` after 5 seconds (SPEC.md section 9), unless the user follows or stops it before. */
function RedirectCountdown({ to, destination }: { to: string; destination: string }) {
  const [deadlineMs] = useState(() => performance.now() + redirectDelayMs)
  const [secondsLeft, setSecondsLeft] = useState(redirectDelayMs / 1000)
  const [stopped, setStopped] = useState(false)
  const navigate = useNavigate()

  useEffect(() => {
    if (stopped) return
    const tick = () => {
      const leftMs = deadlineMs - performance.now()
      setSecondsLeft(Math.max(0, Math.ceil(leftMs / 1000)))
      if (leftMs > 0) return
      // A second call would abort the first.
      clearInterval(timer)
      void navigate(to, { replace: true })
    }
    const timer = setInterval(tick, 100)
    return () => clearInterval(timer)
  }, [deadlineMs, navigate, stopped, to])

  return (
    <Stack align="center" top={0.5}>
      {stopped ? (
        <Text role="status" tone="soft">
          Redirect cancelled.
        </Text>
      ) : (
        <Text role="timer" tone="soft" isCount>
          {secondsLeft === 1
            ? `Redirecting to ${destination} in 1 second…`
            : `Redirecting to ${destination} in ${secondsLeft} seconds…`}
        </Text>
      )}
      {!stopped && (
        <div className="redirect-countdown-bar" aria-hidden="true">
          <div style={{ animationDuration: `${redirectDelayMs}ms` }} />
        </div>
      )}
      <Row justify="center">
        <ButtonLink to={to} replace>
          Go now
        </ButtonLink>
        {!stopped && <Button onClick={() => setStopped(true)}>Stay here</Button>}
      </Row>
    </Stack>
  )
}
