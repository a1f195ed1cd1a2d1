import type { ReactNode } from 'react'
import { classes } from '../ui/classes.ts'
import './file-notice.css'

type FileNoticeProps = {
  icon: ReactNode
  /** It asks something, and the file waits for the answer. */
  isOpen?: boolean
  children: ReactNode
  /** The buttons. */
  choices?: ReactNode
}

/** Something to know about a file before it is sent. */
export function FileNotice({ icon, isOpen = false, children, choices }: FileNoticeProps) {
  return (
    <div className={classes('file-notice', isOpen && 'file-notice-open')}>
      <span aria-hidden="true">{icon}</span>
      <div>
        <p>{children}</p>
        {choices && <div className="file-notice-choices">{choices}</div>}
      </div>
    </div>
  )
}
