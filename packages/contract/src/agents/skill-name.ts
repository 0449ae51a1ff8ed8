import { text } from '../wire/text.ts'

/** As the public format of Agent Skills has it; the folder of a skill has the same name. */
export const skillName = text().regex(
  /^[a-z0-9](?:[a-z0-9]|-(?=[a-z0-9])){0,63}$/,
  'must be at most 64 lower-case letters, digits and single hyphens, such as pdf-forms',
)
