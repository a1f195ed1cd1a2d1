import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Card, Text } from '../../platform/ui/layout.tsx'
import scene from './desk-scene.svg?no-inline'
import './auth-layout.css'

type AuthLayoutProps = { title: string; intro?: ReactNode; children: ReactNode; footer: ReactNode }

export const AuthLayout = ({ title, intro, children, footer }: AuthLayoutProps) => (
  <div className="page auth-layout">
    <AuthIllustration />
    <Card className="auth-layout-paper" aria-labelledby="account-title">
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

type FooterLinkProps = { question: string; text: string; to: string }

export const FooterLink = ({ question, text, to }: FooterLinkProps) => (
  <>
    {question}{' '}
    <Link className="link" to={to}>
      {text}
    </Link>
  </>
)

const AuthIllustration = () => (
  <svg className="auth-illustration" viewBox="0 0 520 480" fill="none" aria-hidden="true">
    <defs>
      <linearGradient id="lamp-light" x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stopColor="var(--marigold)" stopOpacity="0.34" />
        <stop offset="1" stopColor="var(--marigold)" stopOpacity="0" />
      </linearGradient>
    </defs>
    <path d="M222 92h84l118 342H104Z" fill="url(#lamp-light)" />
    <use href={`${scene}#scene`} />
  </svg>
)
