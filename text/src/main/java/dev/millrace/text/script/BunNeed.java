package dev.millrace.text.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Whether a script in TypeScript or JavaScript needs Bun: it imports packages by bare names, modules of Bun, or modules of
 * Node.js that do what scripts for Deno may not do, or it uses what only Bun has. Comments and texts do not count.
 */
public final class BunNeed {
    /** What a script for Deno may not do, or only in its own folders. */
    private static final Set<String> FORBIDDEN_IN_DENO =
            Set.of("child_process", "cluster", "fs", "fs/promises", "inspector", "repl", "worker_threads");

    private static final Pattern OF_BUN = Pattern.compile(
            "(?<![\\w$.])(?:globalThis\\s*+\\.\\s*+)?Bun\\b(?!\\s*+:)|\\bimport\\.meta\\.(?:dir|file|path|env)\\b");

    /** What stands before the text that an import names. */
    private static final Pattern IMPORTING =
            Pattern.compile("(?s).*(?<![\\w$.])(?:from|import|require)\\s*+\\(?+\\s*+");

    /** Most templates within each other that are read. */
    private static final int DEPTH_MAX = 100;

    /** Most characters before a text that are looked at. */
    private static final int LOOK_BACK = 40;

    /** Characters and words after which a slash begins a regular expression. */
    private static final Pattern BEFORE_EXPRESSION =
            Pattern.compile("(?s).*(?:[(,=:\\[!&|?{};+*%<>~^-]|\\breturn|\\btypeof)\\s*+");

    private final String source;
    private final StringBuilder code = new StringBuilder();
    private final List<String> imports = new ArrayList<>();
    private int at;
    private int depth;

    private BunNeed(String source) {
        this.source = source;
    }

    public static boolean isIn(String source) {
        BunNeed reading = new BunNeed(source);
        reading.readCode(false);
        return reading.imports.stream().anyMatch(BunNeed::isOfBun)
                || OF_BUN.matcher(reading.code).find();
    }

    private static boolean isOfBun(String specifier) {
        String module = specifier.startsWith("node:") ? specifier.substring("node:".length()) : specifier;
        return specifier.equals("bun")
                || specifier.startsWith("bun:")
                || FORBIDDEN_IN_DENO.contains(module)
                || NpmImport.of(specifier).isPresent();
    }

    /** @param inTemplate whether a closing brace ends this code, which stands in a template */
    private void readCode(boolean inTemplate) {
        int braces = 0;
        while (at < source.length()) {
            char c = source.charAt(at);
            if (source.startsWith("//", at)) {
                skipTo("\n", 0);
            } else if (source.startsWith("/*", at)) {
                skipTo("*/", 2);
            } else if (c == '"' || c == '\'') {
                readText(c);
            } else if (c == '`') {
                readTemplate();
            } else if (c == '/' && BEFORE_EXPRESSION.matcher(before()).matches()) {
                skipExpression();
            } else {
                braces += c == '{' ? 1 : c == '}' ? -1 : 0;
                if (inTemplate && braces < 0) {
                    return;
                }
                code.append(c);
                at++;
            }
        }
    }

    private String before() {
        return code.substring(Math.max(0, code.length() - LOOK_BACK));
    }

    private void skipTo(String end, int length) {
        int found = source.indexOf(end, at);
        at = found < 0 ? source.length() : found + length;
        code.append(' ');
    }

    private void readText(char quote) {
        int begin = at + 1;
        at = begin;
        while (at < source.length() && source.charAt(at) != quote && source.charAt(at) != '\n') {
            at += source.charAt(at) == '\\' ? 2 : 1;
        }
        int end = Math.min(at, source.length());
        if (IMPORTING.matcher(before()).matches()) {
            imports.add(source.substring(begin, end));
        }
        at = end + 1;
        code.append("\"\"");
    }

    private void readTemplate() {
        int begin = at + 1;
        at = begin;
        boolean isPlain = true;
        boolean isImported = IMPORTING.matcher(before()).matches();
        code.append('"');
        while (at < source.length() && source.charAt(at) != '`') {
            if (source.startsWith("${", at)) {
                isPlain = false;
                at += 2;
                code.append(' ');
                readCodeInTemplate();
            } else {
                at += source.charAt(at) == '\\' ? 2 : 1;
            }
        }
        int end = Math.min(at, source.length());
        if (isPlain && isImported) {
            imports.add(source.substring(begin, end));
        }
        at = end + 1;
        code.append('"');
    }

    private void readCodeInTemplate() {
        if (depth == DEPTH_MAX) {
            at = source.length();
            return;
        }
        depth++;
        readCode(true);
        depth--;
        at++;
    }

    private void skipExpression() {
        boolean inClass = false;
        at++;
        while (at < source.length() && source.charAt(at) != '\n' && (inClass || source.charAt(at) != '/')) {
            inClass = source.charAt(at) == '[' || (inClass && source.charAt(at) != ']');
            at += source.charAt(at) == '\\' ? 2 : 1;
        }
        at = Math.min(at + 1, source.length());
        code.append("\"\"");
    }
}
