import type { ReactNode } from 'react'
import { Card } from '../../platform/ui/Card.tsx'
import './auth-layout.css'
import { Text } from '../../platform/ui/layout.tsx'
import { AuthIllustration } from './AuthIllustration.tsx'

type AuthLayoutProps = { title: string; intro?: ReactNode; children: ReactNode; footer: ReactNode }

/** The frame of all account forms; on wide screens with the illustration beside it. */
export function AuthLayout({ title, intro, children, footer }: AuthLayoutProps) {
  return (
    <div className="page account-page">
      <AuthIllustration />
      <Card className="account-page-paper" aria-labelledby="account-title">
        <h1 id="account-title" className="page-title">
          {title}
        </h1>
        {intro && (
          <Text tone="soft" top={0.5}>
            {intro}
          </Text>
        )}
        {children}
        <Text tone="soft" top={1.5}>
          {footer}
        </Text>
      </Card>
    </div>
  )
}
