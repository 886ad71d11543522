package dev.millrace.client;

import static java.util.Objects.requireNonNull;

import io.grpc.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Reads what is deployed. */
final class SourceFiles {
    private static final Pattern SCRIPT = Pattern.compile(".*\\.(py|ts|mts|js|mjs)");

    private SourceFiles() {}

    /** Whether a file is a script by its name; all others are definitions of flows. */
    static boolean isScript(Path file) {
        return SCRIPT.matcher(name(file)).matches();
    }

    static String name(Path file) {
        return String.valueOf(file.getFileName());
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(
                    "The file " + file + " cannot be read: " + unreadable + ". Check the path and that it is UTF-8.",
                    unreadable);
        }
    }

    /**
     * Returns the contents of those named files that exist beside a definition; the server looks for the others among
     * deployed scripts.
     *
     * @throws InvalidRequestException if a file lies outside the folder of the definition. Definitions come from anywhere,
     *     and must not make this machine send unrelated files.
     */
    static Map<String, String> readBeside(Path definition, List<String> names) {
        try {
            Path folder = requireNonNull(definition.toRealPath().getParent(), "folder of the definition");
            Map<String, String> contents = new LinkedHashMap<>();
            for (String name : names) {
                Path file = folder.resolve(name);
                if (!Files.isRegularFile(file)) {
                    continue;
                }
                if (!file.toRealPath().startsWith(folder)) {
                    throw new InvalidRequestException(CallFailure.of(
                            "DeployFlow",
                            "the scheduler",
                            Status.Code.INVALID_ARGUMENT,
                            "The flow names the script \"" + name + "\", which lies outside the flow's folder " + folder
                                    + ", so it was not sent. Move or copy it into that folder and name it by its path"
                                    + " there."));
                }
                contents.put(name, read(file));
            }
            return contents;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(
                    "The files beside " + definition + " cannot be read: " + unreadable + ".", unreadable);
        }
    }
}
