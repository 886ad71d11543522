package dev.millrace.worker.internal.secret.core;

import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/** Texts inside of string literals: of JSON, Python and JavaScript. */
final class EscapeSpellings {
    /** Further characters that libraries write as a code in JSON: none, those of HTML, and what .NET adds to them. */
    private static final List<String> CODED_IN_JSON = List.of("", "<>&", "<>&'\"+`");

    /** Quotes around a literal of Python or JavaScript; a quote inside is escaped. The first stands for no quote. */
    private static final List<String> QUOTES = List.of("", "'", "\"", "`");

    private static final List<HexFormat> CASES =
            List.of(HexFormat.of(), HexFormat.of().withUpperCase());
    private static final char DELETE = 0x7f;

    private EscapeSpellings() {}

    /** Adds all combinations of what a JSON library may escape beyond what it must. */
    static void addJson(Set<String> patterns, String text) {
        if (text.chars().allMatch(c -> Character.isLetterOrDigit(c) && c < DELETE)) {
            return;
        }
        for (HexFormat hex : CASES) {
            for (String coded : CODED_IN_JSON) {
                for (boolean slash : new boolean[] {false, true}) {
                    patterns.add(Spellings.bytes(json(text, coded, slash, false, hex)));
                    patterns.add(Spellings.bytes(json(text, coded, slash, true, hex)));
                }
            }
        }
    }

    /** Adds JSON inside of JSON, codes for every character, and literals of Python and JavaScript. */
    static void addRare(Set<String> patterns, String text) {
        String once = json(text, "", false, false, CASES.get(0));
        patterns.add(Spellings.bytes(json(once, "", false, false, CASES.get(0))));
        for (HexFormat hex : CASES) {
            StringBuilder codes = new StringBuilder();
            text.chars().forEach(c -> codes.append(code((char) c, hex)));
            patterns.add(codes.toString());
            for (String quote : QUOTES) {
                patterns.add(Spellings.bytes(literal(text, quote, false, hex)));
                patterns.add(literal(Spellings.bytes(text), quote, true, hex));
            }
        }
    }

    private static String json(String text, String coded, boolean slash, boolean onlyAscii, HexFormat hex) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (coded.indexOf(c) >= 0 || (onlyAscii && c > DELETE)) {
                escaped.append(code(c, hex));
            } else if (c == '/') {
                escaped.append(slash ? "\\/" : "/");
            } else if (c == '"' || c == '\\') {
                escaped.append('\\').append(c);
            } else if (c < ' ') {
                int known = "\b\f\n\r\t".indexOf(c);
                escaped.append(known < 0 ? code(c, hex) : "\\" + "bfnrt".charAt(known));
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
}
