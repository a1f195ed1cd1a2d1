import type { Course } from '../../../packages/contract/courses.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { Icon } from '../../platform/ui/Icon.tsx'
import { toggleFollow } from './follow.ts'

type FollowButtonProps = { course: Course; isSmall?: boolean }

/** The button is pressed while the course is followed. */
export function FollowButton({ course, isSmall = false }: FollowButtonProps) {
  const { isFollowed, courseCode } = course
  return (
    <Button
      variant={isSmall ? 'ghost' : isFollowed ? 'secondary' : 'primary'}
      size={isSmall ? 'small' : 'medium'}
      icon={<Icon name={isFollowed ? 'bell-ring' : 'bell-plus'} />}
      aria-pressed={isFollowed}
      onClick={() => toggleFollow(course)}
    >
      {isFollowed ? 'Following' : 'Follow'}
      <span className="visually-hidden"> {courseCode}</span>
    </Button>
  )
}
