import { useAcademicYears } from '../../platform/api/config.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { Checkbox } from '../../platform/ui/Checkbox.tsx'
import { SelectField } from '../../platform/ui/SelectField.tsx'
import { CourseCodeField, InstructorField } from '../notes/DetailFields.tsx'
import './item-details.css'
import { Grid } from '../../platform/ui/layout.tsx'
import { type Details, tray, type UploadItem, useUploadQueue } from './upload-queue.ts'

/** Edits the details of one file that differ from the shared details; untouched fields follow the shared ones. */
export function ItemDetails({ row }: { row: UploadItem }) {
  const { id, file, ownDetails, errors } = row
  const years = useAcademicYears()
  const ofAll = useUploadQueue((state) => state.details)
  if (ofAll === null) return null
  if (ownDetails === null) {
    return (
      <Button
        variant="ghost"
        size="small"
        className="row-details-toggle"
        onClick={() => tray.change(id, { ownDetails: {} })}
      >
        Use different details<span className="visually-hidden"> for {file.name}</span>
      </Button>
    )
  }
  const own = { ...ofAll, ...ownDetails }
  const set = (change: Partial<Details>) => tray.change(id, { ownDetails: { ...ownDetails, ...change }, errors: {} })
  return (
    <Grid as="fieldset" columns={11} gap={[0.75, 1]} align="start" className="row-details">
      <legend className="text-medium text-strong row-details-legend">Details for this file</legend>
      <CourseCodeField
        label="Course code for this file"
        value={own.courseCode}
        error={errors.courseCode}
        onValueChange={(courseCode) => set({ courseCode })}
      />
      <SelectField
        label="Academic year for this file"
        options={years.map((year) => ({ value: year, label: year }))}
        value={own.academicYear}
        error={errors.academicYear}
        onChange={(event) => set({ academicYear: event.target.value })}
      />
      <InstructorField
        label="Instructor for this file"
        value={own.instructor}
        error={errors.instructor}
        onValueChange={(instructor) => set({ instructor })}
      />
      <Checkbox
        label="Display this file anonymously"
        checked={own.isAnonymous}
        onChange={(event) => set({ isAnonymous: event.target.checked })}
      />
      <Button
        variant="ghost"
        size="small"
        className="row-details-toggle"
        onClick={() => tray.change(id, { ownDetails: null, errors: {} })}
      >
        Use the same details<span className="visually-hidden"> for {file.name}</span>
      </Button>
    </Grid>
  )
}
