package dev.millrace.scheduler.webhook.core;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.text.encoding.TextEncoding;
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

    /** Maximum length of the headers of a part, in characters. */
    static final int HEADERS_LENGTH_MAX = 8 << 10;

    private static final String LINE_END = "\r\n";
    private static final String HEADERS_END = "\r\n\r\n";

    /** The body in Latin-1, which has a character for each byte, so that it can be searched as a text. */
    private final String body;

    private final String delimiter;
    private final ContentType type;

    /** A part, as sent, in Latin-1. Its name and the name of its file are in the encoding of the form. */
    private record Part(String name, Optional<String> file, String type, String content) {}

    private Multipart(String body, String boundary, ContentType type) {
        this.body = body;
        this.type = type;
        // Each delimiter begins with the end of the line before it.
        this.delimiter = LINE_END + "--" + boundary;
    }

    /**
     * The parts as an object: a text for a field, and an object with {@code filename}, {@code content_type} and {@code
     * base64} for a file. A field of a type that is no text is an object, too, without {@code filename}. A name that occurs
     * several times has an array.
     */
    static JsonValue object(byte[] body, ContentType type) throws UnreadableBody {
        String boundary = type.parameter("boundary")
                .filter(text -> !text.isEmpty())
                .orElseThrow(() -> new UnreadableBody("The content type multipart/form-data names no boundary."));
        // The first delimiter may lack the end of the line before it.
        return new Multipart(
                        LINE_END + new String(body, ISO_8859_1), new String(boundary.getBytes(UTF_8), ISO_8859_1), type)
                .object();
    }

    private JsonValue object() throws UnreadableBody {
        List<Part> parts = parts();
        List<FormEncoding.Field> fields = parts.stream()
                .map(part -> new FormEncoding.Field(part.name(), isText(part) ? part.content() : ""))
                .toList();
        TextEncoding encoding = FormEncoding.of(type, fields);
        Map<String, List<JsonValue>> values = new LinkedHashMap<>();
        for (Part part : parts) {
            String name = BodyText.ofLatin(part.name(), encoding, "The name of a part");
            values.computeIfAbsent(name, _ -> new ArrayList<>()).add(value(name, part, encoding));
        }
        return FormText.object(values);
    }

    private static JsonValue value(String name, Part part, TextEncoding encoding) throws UnreadableBody {
        if (!isText(part)) {
            return JsonValue.ofMembers(file(part, encoding));
        }
        Optional<String> charset = ContentType.of(part.type()).parameter("charset");
        return JsonValue.ofString(BodyText.ofLatin(
                part.content(), charset.isPresent() ? BodyText.ofForm(charset.get()) : encoding, "The field " + name));
    }

    /** Whether the part is a field with a text: no file, and of no other type. */
    private static boolean isText(Part part) {
        ContentType type = ContentType.of(part.type());
        return part.file().isEmpty() && (type.type().isEmpty() || type.isText() || type.isJson());
    }

    private List<Part> parts() throws UnreadableBody {
        List<Part> parts = new ArrayList<>();
        int position = after(body, delimiter, 0);
        while (!body.startsWith("--", position)) {
            if (parts.size() == PARTS_MAX) {
                throw new UnreadableBody("The form has more than " + PARTS_MAX + " parts.");
            }
            int lineEnd = after(body, LINE_END, position) - LINE_END.length();
            int next = after(body, delimiter, lineEnd);
            parts.add(part(body.substring(lineEnd, next - delimiter.length())));
            position = next;
        }
        return parts;
    }

    /** @param part the end of the delimiter's line, the headers, and the content */
    private static Part part(String part) throws UnreadableBody {
        int content = after(part, HEADERS_END, 0);
        if (content > HEADERS_LENGTH_MAX) {
            throw new UnreadableBody("A part of the form has headers of " + content + " characters (expected: at most "
                    + HEADERS_LENGTH_MAX + ").");
        }
        String headers = part.substring(0, content);
        ContentType disposition = ContentType.of(header(headers, "content-disposition"));
        String name = disposition
                .parameter("name")
                .orElseThrow(() -> new UnreadableBody("A part of the form has no name in Content-Disposition."));
        return new Part(
                name, disposition.parameter("filename"), header(headers, "content-type"), part.substring(content));
    }

    private static Map<String, JsonValue> file(Part part, TextEncoding encoding) throws UnreadableBody {
        Map<String, JsonValue> file = new LinkedHashMap<>();
        if (part.file().isPresent()) {
            file.put(
                    "filename",
                    JsonValue.ofString(BodyText.ofLatin(part.file().get(), encoding, "The name of a file")));
        }
        file.put("content_type", JsonValue.ofString(part.type().isEmpty() ? "application/octet-stream" : part.type()));
        file.put(
                "base64",
                JsonValue.ofString(
                        Base64.getEncoder().encodeToString(part.content().getBytes(ISO_8859_1))));
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
