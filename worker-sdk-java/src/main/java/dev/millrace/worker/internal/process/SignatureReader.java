package dev.millrace.worker.internal.process;

import dev.millrace.worker.internal.packages.Command;
import dev.millrace.worker.internal.runtime.FileTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Reads which inputs scripts take from their text. The programs that do so run none of it. Blocking and thread-safe.
 */
final class SignatureReader {
    /** Longest time that a program reads. */
    private static final Duration TIME_MAX = Duration.ofSeconds(30);

    /**
     * Most bytes of a TypeScript script with its files. Deno documents types in a time that grows with the square of their
     * number: 2 seconds here, half a minute for four times as much.
     */
    private static final long TYPESCRIPT_BYTES_MAX = 128 << 10;

    /** The schema that takes anything. */
    private static final byte[] ANYTHING = "{}".getBytes(StandardCharsets.UTF_8);

    /** Exit code of the reader for a script that Python cannot read. */
    private static final int EXIT_SYNTAX = 3;

    private static final String PYTHON_READER =
            "from millrace import _signature; _signature.print_schema(*sys.argv[1:])";

    private final ProcessCommands commands;

    SignatureReader(ProcessCommands commands) {
        this.commands = commands;
    }

    /**
     * Returns the JSON Schema of a script's input; one that takes anything for a script that cannot be read.
     *
     * @param progress takes lines for the log of the job
     * @throws LoadException if the script is not in the language
     */
    byte[] read(Script script, Consumer<String> progress) throws IOException {
        if (script.runtime() == ScriptRuntime.PYTHON) {
            List<String> command = new ArrayList<>(commands.python().module(script.python(), PYTHON_READER));
            command.addAll(List.of(script.file().toString(), script.folder().toString()));
            List<Path> readable = new ArrayList<>();
            readable.add(script.folder());
            readable.add(commands.python().runtime(script.python()));
            script.python().ifPresent(interpreter -> {
                readable.add(interpreter.program());
                readable.addAll(interpreter.folders());
            });
            return run(command, Map.of(), commands.own().offline(script.folder(), readable, List.of()), progress);
        }
        if (script.runtime() != ScriptRuntime.DENO) {
            return ANYTHING;
        }
        long bytes = script.tree().isPresent() ? FileTree.bytes(script.tree().get()) : Files.size(script.file());
        if (bytes > TYPESCRIPT_BYTES_MAX) {
            progress.accept("The signature of the script is not read, so inputs are checked by its jobs alone: it has "
                    + bytes + " bytes with its files (expected: at most " + TYPESCRIPT_BYTES_MAX + ").\n");
            return ANYTHING;
        }
        return commands.isSandboxed() ? readWalled(script, progress) : readTypeScript(script, progress);
    }

    private byte[] readTypeScript(Script script, Consumer<String> progress) throws IOException {
        DenoCommands deno = commands.deno();
        return run(deno.signature(script), DenoCommands.ownVariables(deno.ownCache()), List.of(), progress);
    }

    /** Reads in a sandbox, with a cache that nothing else uses. */
    private byte[] readWalled(Script script, Consumer<String> progress) throws IOException {
        Path cache = Files.createTempDirectory("millrace-").toRealPath();
        try {
            List<Path> readable = List.of(script.folder(), commands.deno().runtime());
            List<String> sandbox = commands.own().offline(script.folder(), readable, List.of(cache));
            return run(commands.deno().signature(script), DenoCommands.ownVariables(cache), sandbox, progress);
        } finally {
            FileTree.delete(cache);
        }
    }

    private byte[] run(
            List<String> command, Map<String, String> variables, List<String> sandbox, Consumer<String> progress)
            throws IOException {
        List<String> beginning = new ArrayList<>(commands.ofOwnProgram());
        beginning.addAll(sandbox);
        Map<String, String> all = new HashMap<>(variables);
        all.putAll(Map.of("LANG", "C.UTF-8", "NO_COLOR", "1"));
        Command.Result result = Command.run(command, new Command.Environment(all, beginning), new byte[0], TIME_MAX);
        if (result.exitCode() == 0) {
            return result.output().getBytes(StandardCharsets.UTF_8);
        }
        if (result.exitCode() == EXIT_SYNTAX) {
            throw new LoadException(
                    "Python cannot read the script: " + result.errors().strip() + ".", false);
        }
        progress.accept("The signature of the script could not be read, so inputs are checked by its jobs alone: "
                + result.reason(command.get(0)) + "\n");
        return ANYTHING;
    }
}
