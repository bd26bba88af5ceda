import { z } from 'zod';
import { boundedArray, identifier, nullableText, text } from '../shared/fields.schema.js';
import { requiredTenantScope } from '../shared/tenant-scope.js';

/** Of a tenant. */
export const MAX_LABELS = 200;
/** Of a conversation. */
export const MAX_LABELS_OF_CONVERSATION = 20;
export const MAX_LABEL_NAME = 50;

/** Ids of labels that a conversation may have. */
export const labelIds = boundedArray(identifier(), MAX_LABELS_OF_CONVERSATION);

export const labelName = text(MAX_LABEL_NAME)
  .transform((value) => value.trim())
  .refine((value) => value !== '', 'must not be blank');
export const color = z
  .string()
  .max(7)
  .regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour such as #1f6feb')
  .transform((value) => value.toLowerCase());

export const label = z.object({
  id: z.string(),
  name: z.string(),
  /** `#rrggbb` in lower case. */
  color: z.string(),
  createdTime: z.date(),
  createdBy: nullableText,
  updatedTime: z.date(),
  updatedBy: nullableText,
});
export type Label = z.output<typeof label>;

export const labelFilter = z.object({ scope: requiredTenantScope });
export type LabelFilter = z.output<typeof labelFilter>;

export const newLabel = labelFilter.extend({ name: labelName, color });
export type NewLabel = z.output<typeof newLabel>;

export const labelRef = labelFilter.extend({ labelId: identifier() });
export type LabelRef = z.output<typeof labelRef>;

export const labelChanges = labelRef.extend({ name: labelName.optional(), color: color.optional() });
export type LabelChanges = z.output<typeof labelChanges>;

/** Labels to add and labels to remove. */
export const labelDifference = z
  .object({ add: labelIds.default([]), remove: labelIds.default([]) })
  .refine(({ add, remove }) => !remove.some((id) => add.includes(id)), {
    message: 'must name no label that is added',
    path: ['remove'],
  });
export type LabelDifference = z.output<typeof labelDifference>;
