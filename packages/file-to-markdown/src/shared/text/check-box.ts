/** How a check box is written, as in task lists of Markdown. */
export const checkBox = (isChecked: boolean): string => (isChecked ? '[x]' : '[ ]');
