import { Button } from '../../platform/ui/Button.tsx'
import { Checkbox } from '../../platform/ui/Checkbox.tsx'
import { DetailField } from '../notes/DetailFields.tsx'
import { detailNames, properties } from '../notes/properties.ts'
import './item-details.css'
import { Grid } from '../../platform/ui/layout.tsx'
import { tray, type UploadDetails, type UploadItem, useUploadQueue } from './upload-queue.ts'

/** Edits the details of one file that differ from the shared details; untouched fields follow the shared ones. */
export function ItemDetails({ row }: { row: UploadItem }) {
  const { id, file, ownDetails, errors } = row
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
  const set = (change: Partial<UploadDetails>) =>
    tray.change(id, { ownDetails: { ...ownDetails, ...change }, errors: {} })
  return (
    <Grid as="fieldset" columns={11} gap={[0.75, 1]} align="start" className="row-details">
      <legend className="text-medium text-strong row-details-legend">Details for this file</legend>
      {detailNames.map((name) => (
        <DetailField
          key={name}
          name={name}
          label={`${properties[name].label} for this file`}
          value={own[name]}
          error={errors[name]}
          onValueChange={(value) => set({ [name]: value })}
        />
      ))}
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
