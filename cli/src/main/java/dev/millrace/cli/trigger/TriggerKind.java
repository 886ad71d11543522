package dev.millrace.cli.trigger;

import dev.millrace.cli.client.ApiPath;
import java.util.Locale;

/** What a trigger listens to, as users type it. */
enum TriggerKind {
    webhook,
    event;

    /** The address of the triggers of this kind. */
    ApiPath all() {
        return ApiPath.of("/triggers").child(text());
    }

    ApiPath one(String path) {
        return all().child(path);
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
