package dev.millrace.scheduler.webhook.core;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.scheduler.expression.JsonValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads forms with files, {@code multipart/form-data} of RFC 7578. */
final class Multipart {
    /** Maximum number of parts of a form. */
    static final int PARTS_MAX = 100;

    private static final String LINE_END = "\r\n";
    private static final String HEADERS_END = "\r\n\r\n";

    /** The body in Latin-1, which has a character for each byte, so that it can be searched as a text. */
    private final String body;

    private final String delimiter;

    private Multipart(String body, String boundary) {
        this.body = body;
        // Each delimiter begins with the end of the line before it.
        this.delimiter = LINE_END + "--" + boundary;
    }

    /**
     * The parts as an object: a text for a field, and an object with {@code filename}, {@code content_type} and {@code
     * base64} for a file. A name that occurs several times has an array.
     */
    static JsonValue object(byte[] body, ContentType type) throws UnreadableBody {
        String boundary = type.parameter("boundary")
                .filter(text -> !text.isEmpty())
                .orElseThrow(() -> new UnreadableBody("The content type multipart/form-data names no boundary."));
        // The first delimiter may lack the end of the line before it.
        return new Multipart(LINE_END + new String(body, ISO_8859_1), new String(boundary.getBytes(UTF_8), ISO_8859_1))
                .parts();
    }

    private JsonValue parts() throws UnreadableBody {
        Map<String, List<JsonValue>> values = new LinkedHashMap<>();
        int position = after(body, delimiter, 0);
        for (int parts = 1; !body.startsWith("--", position); parts++) {
            if (parts > PARTS_MAX) {
                throw new UnreadableBody("The form has more than " + PARTS_MAX + " parts.");
            }
            int lineEnd = after(body, LINE_END, position) - LINE_END.length();
            int next = after(body, delimiter, lineEnd);
            add(values, body.substring(lineEnd, next - delimiter.length()));
            position = next;
        }
        return FormText.object(values);
    }

    /** @param part the end of the delimiter's line, the headers, and the content */
    private static void add(Map<String, List<JsonValue>> values, String part) throws UnreadableBody {
        int content = after(part, HEADERS_END, 0);
        byte[] bytes = part.substring(content).getBytes(ISO_8859_1);
        String headers = new String(part.substring(0, content).getBytes(ISO_8859_1), UTF_8);
        ContentType disposition = ContentType.of(header(headers, "content-disposition"));
        String name = disposition
                .parameter("name")
                .orElseThrow(() -> new UnreadableBody("A part of the form has no name in Content-Disposition."));
        Optional<String> file = disposition.parameter("filename");
        JsonValue value = file.isPresent()
                ? JsonValue.ofMembers(file(file.get(), header(headers, "content-type"), bytes))
                : JsonValue.ofString(Utf8Text.of(bytes));
        values.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
    }

    private static Map<String, JsonValue> file(String name, String type, byte[] bytes) {
        Map<String, JsonValue> file = new LinkedHashMap<>();
        file.put("filename", JsonValue.ofString(name));
        file.put("content_type", JsonValue.ofString(type.isEmpty() ? "application/octet-stream" : type));
        file.put("base64", JsonValue.ofString(Base64.getEncoder().encodeToString(bytes)));
        return file;
    }

    private static String header(String lines, String name) {
        return Arrays.stream(lines.split(LINE_END, -1))
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst()
                .orElse("");
    }

    /** The position after the next occurrence of {@code sought}. */
    private static int after(String text, String sought, int from) throws UnreadableBody {
        int found = text.indexOf(sought, from);
        if (found < 0) {
            throw new UnreadableBody("The form ends in the middle of a part, or its boundary is wrong.");
        }
        return found + sought.length();
    }
}
