import { classNames } from '../../../platform/ui/class-names.ts'
import './initial.css'

export const Initial = ({ name, isOwn }: { name: string; isOwn?: boolean }) => (
  <span className={classNames('initial', isOwn && 'initial-own')} aria-hidden="true">
    {[...name.trim()][0]?.toUpperCase() ?? 'U'}
  </span>
)
