package dev.millrace.gateway.console;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.millrace.gateway.problem.Problem;
import dev.millrace.gateway.problem.ProblemException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;

/**
 * The files of the console. Their names contain digests of their content, so browsers keep them for ever. Each file is
 * compressed when it is first asked for, and kept: there are a few dozen of them. Thread-safe.
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

    private static final String FOREVER = "public, max-age=31536000, immutable";
    private static final String GZIP = "gzip";

    private final Map<String, byte[]> compressed = new ConcurrentHashMap<>();

    /** Answers with the file of this name below {@code assets}. */
    HttpResponse answer(String name, RequestHeaders request) {
        var type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        if (type == null || !exists(name)) {
            throw new ProblemException(Problem.of(
                    HttpStatus.NOT_FOUND,
                    "no_such_address",
                    "The console has no file " + name + ". If the gateway was just upgraded, reload the page."));
        }
        var headers = ResponseHeaders.builder(HttpStatus.OK)
                .contentType(type)
                .set(HttpHeaderNames.CACHE_CONTROL, FOREVER)
                .set(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT_ENCODING.toString());
        if (!request.get(HttpHeaderNames.ACCEPT_ENCODING, "").contains(GZIP)) {
            return HttpResponse.of(headers.build(), HttpData.wrap(read("assets/" + name)));
        }
        var content = compressed.computeIfAbsent(name, file -> compress(read("assets/" + file)));
        return HttpResponse.of(
                headers.set(HttpHeaderNames.CONTENT_ENCODING, GZIP).build(), HttpData.wrap(content));
    }

    private static boolean exists(String name) {
        return NAME.matcher(name).matches() && ConsoleFiles.class.getResource(FOLDER + "assets/" + name) != null;
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

    private static byte[] compress(byte[] content) {
        var out = new ByteArrayOutputStream(content.length / 3);
        try (var gzip = new GZIPOutputStream(out)) {
            gzip.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }
}
