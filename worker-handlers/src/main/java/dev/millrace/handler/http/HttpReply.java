package dev.millrace.handler.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.jspecify.annotations.Nullable;

/**
 * A complete response.
 *
 * @param headers headers by lower-case name; repeated values are joined by commas
 * @param values values of headers by name, in the server's first spelling
 * @param text the body, decompressed and decoded
 */
record HttpReply(int status, Map<String, String> headers, Map<String, List<String>> values, String text) {
    /** A body exceeds the request's limit. */
    static final class TooLarge extends IOException {
        TooLarge(int bytesMax) {
            super("more than " + bytesMax + " bytes");
        }
    }

    /** Keeps all digits of numbers. */
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

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
        Charset charset =
                contentType(headers).map(type -> type.getCharset(UTF_8)).orElse(UTF_8);
        return new HttpReply(response.getCode(), headers, values, new String(body, charset));
    }

    /**
     * Returns the body for the flow: the parsed value if the content type says JSON and the body is JSON, else the
     * text; null if the body is empty.
     *
     * @param guessed whether a body that is JSON is parsed regardless of the content type
     */
    JsonNode content(boolean guessed) {
        if (text.isEmpty()) {
            return NullNode.getInstance();
        }
        if (guessed || isJson()) {
            try {
                return JSON.readTree(text);
            } catch (JsonProcessingException notJson) {
                // A body that is not JSON despite its content type is returned as text.
            }
        }
        return TextNode.valueOf(text);
    }

    Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }

    private boolean isJson() {
        String type =
                contentType(headers).map(ContentType::getMimeType).orElse("").toLowerCase(Locale.ROOT);
        return type.equals("application/json") || type.endsWith("+json");
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

    private static Optional<ContentType> contentType(Map<String, String> headers) {
        try {
            return Optional.ofNullable(headers.get("content-type")).map(ContentType::parseLenient);
        } catch (UnsupportedCharsetException | IllegalCharsetNameException unknown) {
            return Optional.empty();
        }
    }
}
