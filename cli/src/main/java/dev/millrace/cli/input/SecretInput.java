package dev.millrace.cli.input;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.output.Terminal;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reads secrets from where other users of the machine cannot see them: not from arguments, which the list of processes
 * shows.
 */
public final class SecretInput {
    /** Longest secret in bytes. No secret of a server is longer. */
    private static final int BYTES_MAX = 1 << 16;

    private SecretInput() {}

    /**
     * Asks a person without showing the answer, or reads standard input to its end if that is no terminal. A line end
     * after the secret is no part of it.
     */
    public static String read(Terminal terminal, String prompt) {
        if (!terminal.in().equals(System.in) || !isTerminal()) {
            return withoutLineEnd(decode(bytes(terminal.in()), "Standard input"));
        }
        Console console = Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.USAGE,
                        prompt + ": the terminal would show what you type, because the output of the command goes"
                                + " elsewhere. Pass it on standard input, or let the output go to the terminal."));
        char[] answer = console.readPassword("%s: ", prompt);
        if (answer == null) {
            throw new CommandFailure(ExitCode.INTERRUPTED, "Nothing was entered, so nothing was changed.");
        }
        return new String(answer);
    }

    /** Whether a person types the standard input. Java only knows whether both input and output are a terminal. */
    private static boolean isTerminal() {
        try {
            return new ProcessBuilder("test", "-t", "0")
                            .redirectInput(ProcessBuilder.Redirect.INHERIT)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException noSuchProgram) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.INTERRUPTED, "The command was interrupted.", e);
        }
    }

    /** Reads a file as it is. */
    public static String read(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return decode(bytes(in), "The file " + file);
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.NOT_FOUND, "The file " + file + " cannot be read. Check its path and permissions.", e);
        }
    }

    private static byte[] bytes(InputStream in) {
        try {
            return in.readNBytes(BYTES_MAX + 1);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.NOT_FOUND, "Standard input cannot be read.", e);
        }
    }

    private static String decode(byte[] bytes, String what) {
        if (bytes.length > BYTES_MAX) {
            throw new CommandFailure(
                    ExitCode.INVALID, what + " holds more than " + BYTES_MAX + " bytes, the most a secret may have.");
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new CommandFailure(
                    ExitCode.INVALID, what + " is not UTF-8 text. Encode binary secrets, for example as Base64.", e);
        }
    }

    private static String withoutLineEnd(String text) {
        return text.endsWith("\r\n")
                ? text.substring(0, text.length() - 2)
                : text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    }
}
