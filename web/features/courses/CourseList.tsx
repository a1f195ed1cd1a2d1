import { Link } from 'react-router'
import type { Course } from '../../../packages/contract/courses.ts'
import * as paths from '../../platform/paths.ts'
import { hueStyle } from '../notes/card/course-hue.ts'
import { countOf } from '../notes/format.ts'
import './course-list.css'
import { Grid, Text } from '../../platform/ui/layout.tsx'
import { FollowButton } from './FollowButton.tsx'

/** A course without notes can be listed or followed. */
export const countNotes = ({ notes }: Course): string => (notes === 0 ? 'No notes yet' : countOf(notes, 'note'))

export const CourseList = ({ courses }: { courses: Course[] }) => (
  <Grid as="ul" gap={[0.75, 1.25]} columns={22}>
    {courses.map((course) => (
      <li key={course.key} className="course-list-item cover-box spine" style={hueStyle(course.courseCode)}>
        <Link to={paths.course(course.key)} className="course-list-link cover-link">
          <Text as="span" size="large" isSerif className="text-clamped">
            {course.courseCode}
          </Text>
          {course.name !== null && <span className="text-clamped course-list-name">{course.name}</span>}
          <Text as="span" tone="faint" size="small" isCount>
            {countNotes(course)}
          </Text>
        </Link>
        <FollowButton course={course} isSmall />
      </li>
    ))}
  </Grid>
)
