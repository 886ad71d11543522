package dev.millrace.handler.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.millrace.text.encoding.BodyEncoding;
import dev.millrace.text.encoding.BodyEncoding.Declaration;
import dev.millrace.text.encoding.TextEncoding.Decoded;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The body of a response. A result has every byte of it: as the text that the bytes are, or else as Base64. */
final class ReplyBody {
    /** Keeps all digits of numbers. */
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    /** First halves of media types that are never texts. */
    private static final Set<String> BINARY_FAMILIES = Set.of("image", "audio", "video", "font", "model");
    /** Other media types that are never texts, even if the bytes of one body happen to be. */
    private static final Set<String> BINARY_TYPES = Set.of(
            "application/octet-stream",
            "application/pdf",
            "application/zip",
            "application/gzip",
            "application/x-gzip",
            "application/x-tar",
            "application/x-bzip2",
            "application/x-xz",
            "application/zstd",
            "application/x-7z-compressed",
            "application/java-archive",
            "application/wasm",
            "application/msgpack",
            "application/cbor",
            "application/x-protobuf",
            "application/protobuf",
            "application/vnd.apache.parquet",
            "application/vnd.ms-excel",
            "application/msword");

    private final String type;
    private final Optional<String> charset;
    private final byte[] bytes;

    /** @param contentType as in the header; empty if there is none */
    ReplyBody(String contentType, byte[] bytes) {
        this.type = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        this.charset = MediaTypes.charset(contentType);
        this.bytes = bytes;
    }

    /**
     * Adds the body to a result: the parsed value if the content type says JSON and the body is JSON, else the text;
     * null if the body is empty. Other bytes are Base64, and {@code body_encoding} says so.
     *
     * @param guessed whether a body that is JSON is parsed regardless of the content type
     */
    void addTo(ObjectNode result, boolean guessed) {
        if (bytes.length == 0) {
            result.set("body", NullNode.getInstance());
            return;
        }
        Optional<String> text = decoded();
        Optional<JsonNode> json = guessed || isJson() ? text.flatMap(ReplyBody::parsed) : Optional.empty();
        if (json.isPresent()) {
            result.set("body", json.get());
        } else if (text.isPresent() && !isBinary()) {
            result.set("body", TextNode.valueOf(text.get()));
        } else {
            result.put("body", Base64.getEncoder().encodeToString(bytes));
            result.put("body_encoding", "base64");
        }
    }

    /** What people see of the body in an error. */
    String shown() {
        Optional<String> text = isBinary() ? Optional.empty() : decoded();
        return text.orElseGet(() -> bytes.length + " bytes" + (type.isEmpty() ? "" : " of " + type));
    }

    private static Optional<JsonNode> parsed(String text) {
        try {
            return Optional.of(JSON.readTree(text)).filter(value -> !value.isMissingNode());
        } catch (JsonProcessingException notJson) {
            return Optional.empty();
        }
    }

    /** The text; empty if the bytes are none in the encoding that the server declares. */
    private Optional<String> decoded() {
        return BodyEncoding.of(Declaration.of(type), charset, bytes)
                .decode(bytes)
                .flatMap(decoded -> switch (decoded) {
                    case Decoded.Text(String text) -> Optional.of(text);
                    case Decoded.Malformed _ -> Optional.empty();
                });
    }

    private boolean isJson() {
        return type.equals("application/json") || type.endsWith("+json");
    }

    private boolean isBinary() {
        return (BINARY_FAMILIES.contains(type.split("/", 2)[0]) && !type.endsWith("+xml"))
                || BINARY_TYPES.contains(type)
                || type.startsWith("application/vnd.openxmlformats-");
    }
}
