/** What people may paste into a terminal to do the same as a form. */
export interface FormCommand {
  /** Arguments of the `millrace` program. */
  readonly args: readonly string[];
  /** The file that the command reads, if it reads one. */
  readonly file?: CommandFile;
}

/** A file with its text, which people save before they run the command. */
export interface CommandFile {
  readonly name: string;
  readonly text: string;
}

/** A command as actions give it: most have nothing but arguments. */
export function formCommand(command: FormCommand | readonly string[]): FormCommand {
  return "args" in command ? command : { args: command };
}
