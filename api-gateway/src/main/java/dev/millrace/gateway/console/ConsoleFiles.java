package dev.millrace.gateway.console;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import dev.millrace.gateway.http.StaticFile;
import dev.millrace.gateway.problem.Problem;
import dev.millrace.gateway.problem.ProblemException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * The files of the console. Their names contain digests of their content, so browsers keep them for ever. Each file is read
 * when it is first asked for, and kept: there are a few dozen of them. Thread-safe.
 */
final class ConsoleFiles {

    private static final String FOLDER = "/dev/millrace/console/";

    /** A name without any slash, so that no request leaves the folder. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}");

    private static final Map<String, MediaType> TYPES = Map.of(
            "js", MediaType.JAVASCRIPT_UTF_8,
            "css", MediaType.CSS_UTF_8,
            "svg", MediaType.SVG_UTF_8,
            "woff2", MediaType.create("font", "woff2"));

    private final Map<String, StaticFile> files = new ConcurrentHashMap<>();

    /** Answers with the file of this name below {@code assets}. */
    HttpResponse answer(String name, RequestHeaders request) {
        var type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        if (type == null || !exists(name)) {
            throw new ProblemException(Problem.of(
                    HttpStatus.NOT_FOUND,
                    "no_such_address",
                    "The console has no file " + name + ". If the gateway was just upgraded, reload the page."));
        }
        return files.computeIfAbsent(name, file -> StaticFile.of(read("assets/" + file), type, StaticFile.FOREVER))
                .answer(request);
    }

    private boolean exists(String name) {
        return files.containsKey(name)
                || (NAME.matcher(name).matches() && ConsoleFiles.class.getResource(FOLDER + "assets/" + name) != null);
    }

    /** The bytes of a file of the console; fails if there is none. */
    static byte[] read(String path) {
        try (var in = ConsoleFiles.class.getResourceAsStream(FOLDER + path)) {
            if (in == null) {
                throw new IllegalStateException("The console's " + path + " is not on the class path.");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read the console's " + path + ".", e);
        }
    }
}
