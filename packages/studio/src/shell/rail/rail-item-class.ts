export const railItemClass =
  'group relative flex h-8 w-full items-center gap-2.5 rounded-md px-2.5 text-dense font-medium text-muted transition-colors hover:bg-hover hover:text-text'
