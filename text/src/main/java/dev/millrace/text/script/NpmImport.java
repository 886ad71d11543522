package dev.millrace.text.script;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An import of a package from npm, as scripts for Bun write it: {@code ms}, {@code ms@^2}, {@code npm:ms@2/index.js}.
 *
 * @param name of the package
 * @param range which versions fit, such as {@code ^2}; empty for the latest one
 */
public record NpmImport(String name, String range) {
    private static final int NAME_LENGTH_MAX = 214;

    /** What follows a keyword that imports. The quantifiers are possessive, so that hostile text costs no more than its length. */
    private static final Pattern IMPORT =
            Pattern.compile("\\b(?:from|import|require)\\s*+\\(?+\\s*+[\"']([^\"'\\s]{1,400}+)[\"']");

    private static final Pattern SPECIFIER = Pattern.compile("(?:npm:)?"
            + "(?<name>(?:@[A-Za-z0-9~_-][\\w.~-]*/)?[A-Za-z0-9~_-][\\w.~-]*)"
            + "(?:@(?<range>[\\w^~<>=*|+-][\\w.^~<>=*|+ -]{0,99}))?"
            + "(?:/.*)?");

    /** What every Bun has, and what the runtime of scripts brings. */
    private static final Set<String> PRESENT =
            Set.of(("millrace windmill-client bun assert async_hooks buffer child_process"
                            + " cluster console constants crypto dgram diagnostics_channel dns domain events fs http http2 https"
                            + " inspector module net os path perf_hooks process punycode querystring readline repl stream"
                            + " string_decoder sys timers tls trace_events tty undici url util v8 vm wasi worker_threads ws zlib")
                    .split(" "));

    public NpmImport {
        requireNonNull(name, "name");
        requireNonNull(range, "range");
    }

    /** Reads what an import names; empty if that is a file, an address, or a module that every Bun has. */
    public static Optional<NpmImport> of(String specifier) {
        Matcher matcher = SPECIFIER.matcher(specifier);
        if (!matcher.matches()
                || matcher.group("name").length() > NAME_LENGTH_MAX
                || PRESENT.contains(matcher.group("name"))) {
            return Optional.empty();
        }
        String range = matcher.group("range");
        return Optional.of(new NpmImport(matcher.group("name"), range == null ? "" : range));
    }

    /** Whether a text seems to import a package. It finds all imports, and takes some other text for imports. */
    public static boolean isIn(String source) {
        return IMPORT.matcher(source)
                .results()
                .anyMatch(found -> of(found.group(1)).isPresent());
    }
}
