package dev.millrace.cli.trigger;

import dev.millrace.cli.client.ApiPath;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a trigger listens to, as users type it. */
enum TriggerKind {
    webhook,
    event,
    kafka,
    postgres,
    mqtt;

    /** The address of the triggers of this kind. */
    ApiPath all() {
        return ApiPath.of("/triggers").child(text());
    }

    ApiPath one(String path) {
        return all().child(path);
    }

    /** All kinds, in a sentence. */
    static String expected() {
        return Stream.of(values()).map(TriggerKind::text).collect(Collectors.joining(" or "));
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
