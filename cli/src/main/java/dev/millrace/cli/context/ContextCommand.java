package dev.millrace.cli.context;

import dev.millrace.cli.ClientOptions.Format;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.OutputCommand;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Option;

/** Base of commands about the user's contexts, which call no server. */
abstract class ContextCommand extends OutputCommand {
    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "text for people, json for programs (default: text).")
    private Format format = Format.TEXT;

    ContextCommand(Terminal terminal) {
        super(terminal);
    }

    abstract void execute(ContextsFile file);

    @Override
    public final Integer call() {
        execute(ContextsFile.require(terminal().environment()));
        return ExitCode.OK.number();
    }

    @Override
    protected final boolean wantsJson() {
        return format == Format.JSON;
    }
}
