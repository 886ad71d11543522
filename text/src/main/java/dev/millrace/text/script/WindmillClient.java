package dev.millrace.text.script;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names under which scripts of an exported Windmill workspace import Windmill's client. */
public final class WindmillClient {
    /** Its name without a registry and a version. */
    public static final String NAME = "windmill-client";

    /** The name with a registry, a version or both, and the address of the client for Deno before there was a package. */
    private static final Pattern QUOTED = Pattern.compile("[\"']("
            + "(?:npm:/?|jsr:/?@windmill[\\w-]{0,40}+/)?windmill-client(?:@[\\w.^~<>=*+-]{1,40}+)?"
            + "|https://deno\\.land/x/windmill(?:@[\\w.-]{1,40}+)?/mod\\.ts"
            + ")[\"']");

    private WindmillClient() {}

    /** What a text calls the client, without {@link #NAME} itself: for example {@code npm:windmill-client@1.500.0}. */
    public static Set<String> namesIn(String source) {
        Set<String> names = new TreeSet<>();
        Matcher matcher = QUOTED.matcher(source);
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        names.remove(NAME);
        return names;
    }
}
