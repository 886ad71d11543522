package dev.millrace.handler.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.jspecify.annotations.Nullable;

/**
 * A complete response.
 *
 * @param headers headers by lower-case name; repeated values are joined by commas
 * @param values values of headers by name, in the server's first spelling
 * @param body the body, decompressed
 */
record HttpReply(int status, Map<String, String> headers, Map<String, List<String>> values, ReplyBody body) {
    /** A body exceeds the request's limit. */
    static final class TooLarge extends IOException {
        TooLarge(int bytesMax) {
            super("more than " + bytesMax + " bytes");
        }
    }

    static HttpReply read(ClassicHttpResponse response, int bytesMax) throws IOException {
        Map<String, String> headers = new LinkedHashMap<>();
        Map<String, String> names = new LinkedHashMap<>();
        Map<String, List<String>> values = new LinkedHashMap<>();
        for (Header header : response.getHeaders()) {
            String lower = header.getName().toLowerCase(Locale.ROOT);
            String value = String.valueOf(header.getValue());
            headers.merge(lower, value, (first, next) -> first + ", " + next);
            String name = names.computeIfAbsent(lower, _ -> header.getName());
            values.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
        }
        byte[] body = body(response.getEntity(), bytesMax);
        return new HttpReply(
                response.getCode(), headers, values, new ReplyBody(headers.getOrDefault("content-type", ""), body));
    }

    Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }

    private static byte[] body(@Nullable HttpEntity entity, int bytesMax) throws IOException {
        if (entity == null) {
            return new byte[0];
        }
        // The response closes the stream; closing it here would first read the rest.
        InputStream content = entity.getContent();
        byte[] bytes = content.readNBytes(bytesMax);
        if (content.read() >= 0) {
            throw new TooLarge(bytesMax);
        }
        return bytes;
    }
}
