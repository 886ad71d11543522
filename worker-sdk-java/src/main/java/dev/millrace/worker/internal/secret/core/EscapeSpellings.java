package dev.millrace.worker.internal.secret.core;

import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Texts inside of string literals: of JSON, Python and JavaScript. */
final class EscapeSpellings {
    /** Further characters that libraries write as a code in JSON: none, those of HTML, and what .NET adds to them. */
    private static final List<String> CODED_IN_JSON = List.of("", "<>&", "<>&'\"+`");

    /** Quotes around a literal of Python or JavaScript; a quote inside is escaped. The first stands for no quote. */
    private static final List<String> QUOTES = List.of("", "'", "\"", "`");

    private static final List<HexFormat> CASES =
            List.of(HexFormat.of(), HexFormat.of().withUpperCase());

    /** What a library escapes in JSON beyond what it must: all combinations. The first one is none of it. */
    private static final List<Style> STYLES = CODED_IN_JSON.stream()
            .flatMap(coded -> Stream.of(false, true)
                    .flatMap(slash -> Stream.of(false, true)
                            .flatMap(onlyAscii -> CASES.stream().map(hex -> new Style(coded, slash, onlyAscii, hex)))))
            .toList();

    private static final Style PLAIN = STYLES.get(0);

    private static final char DELETE = 0x7f;
    private static final char LATIN_MAX = 0xff;

    private EscapeSpellings() {}

    /**
     * How a library writes JSON.
     *
     * @param coded characters that it writes as a code
     * @param slash whether it escapes slashes
     * @param onlyAscii whether it writes all other characters as codes
     * @param hex the case of hexadecimal digits
     */
    private record Style(String coded, boolean slash, boolean onlyAscii, HexFormat hex) {}

    /** Adds all combinations of what a JSON library may escape beyond what it must. */
    static void addJson(Set<String> patterns, String text) {
        if (text.chars().allMatch(c -> Character.isLetterOrDigit(c) && c < DELETE)) {
            return;
        }
        for (Style style : STYLES) {
            patterns.add(Spellings.bytes(json(text, style)));
        }
    }

    /** Adds JSON inside of JSON, codes for every character, and literals of Python and JavaScript. */
    static void addRare(Set<String> patterns, String text) {
        addNestedJson(patterns, text);
        for (HexFormat hex : CASES) {
            StringBuilder codes = new StringBuilder();
            text.chars().forEach(c -> codes.append(code((char) c, hex)));
            patterns.add(codes.toString());
            for (String quote : QUOTES) {
                patterns.add(Spellings.bytes(literal(text, quote, false, hex)));
                patterns.add(literal(Spellings.bytes(text), quote, true, hex));
            }
        }
        for (String quote : QUOTES) {
            String literal = literal(text, quote, false, CASES.get(0));
            patterns.add(asciiLiteral(literal));
            for (Style style : STYLES) {
                if (style.coded().isEmpty()) {
                    patterns.add(Spellings.bytes(json(literal, style)));
                    patterns.add(Spellings.bytes(literal(json(text, style), quote, false, CASES.get(0))));
                }
            }
        }
    }

    /**
     * Adds JSON inside of JSON, and that inside of JSON again. The writers are the same, or all but one of them escape
     * only what they must: so the number of spellings does not grow with the square of the styles.
     */
    private static void addNestedJson(Set<String> patterns, String text) {
        String plain = json(text, PLAIN);
        for (Style style : STYLES) {
            String once = json(text, style);
            String twice = json(once, style);
            patterns.add(Spellings.bytes(twice));
            patterns.add(Spellings.bytes(json(once, PLAIN)));
            patterns.add(Spellings.bytes(json(plain, style)));
            patterns.add(Spellings.bytes(json(twice, style)));
            patterns.add(Spellings.bytes(json(json(once, PLAIN), PLAIN)));
        }
    }

    private static String json(String text, Style style) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (style.coded().indexOf(c) >= 0 || (style.onlyAscii() && c > DELETE)) {
                escaped.append(code(c, style.hex()));
            } else if (c == '/') {
                escaped.append(style.slash() ? "\\/" : "/");
            } else if (c == '"' || c == '\\') {
                escaped.append('\\').append(c);
            } else if (c < ' ') {
                int known = "\b\f\n\r\t".indexOf(c);
                escaped.append(known < 0 ? code(c, style.hex()) : "\\" + "bfnrt".charAt(known));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }

    private static String code(char c, HexFormat hex) {
        return "\\u" + hex.toHexDigits(c);
    }

    /** Escapes as {@code repr} of Python does; characters above 127 only if they stand for bytes. */
    private static String literal(String text, String quote, boolean isBytes, HexFormat hex) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int known = "\n\r\t".indexOf(c);
            if (c == '\\' || quote.indexOf(c) >= 0) {
                escaped.append('\\').append(c);
            } else if (known >= 0) {
                escaped.append('\\').append("nrt".charAt(known));
            } else if (c < ' ' || c == DELETE || (isBytes && c > DELETE)) {
                escaped.append("\\x").append(hex.toHexDigits((byte) c));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }

    /** A literal as {@code ascii} of Python writes it, and streams that replace what they cannot encode. */
    private static String asciiLiteral(String literal) {
        StringBuilder escaped = new StringBuilder(literal.length() + 16);
        literal.codePoints().forEach(c -> {
            if (c <= DELETE) {
                escaped.append((char) c);
            } else if (c <= LATIN_MAX) {
                escaped.append("\\x").append(CASES.get(0).toHexDigits((byte) c));
            } else if (c <= Character.MAX_VALUE) {
                escaped.append(code((char) c, CASES.get(0)));
            } else {
                escaped.append("\\U").append(CASES.get(0).toHexDigits(c));
            }
        });
        return escaped.toString();
    }
}
