/** For replace() and search(): controls, invisible format characters (bidi, zero width, tags), spaces that are none, fillers and variation selectors. */
export const hiddenCharacters =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00A0\u2000-\u200A\u202F\u205F\u3000]/gu
