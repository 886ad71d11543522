package dev.millrace.scheduler.webhook.core;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** A part of a call that the input of a run may get, each under its own name. */
public enum InputPart {
    /** The body by its content type. */
    BODY,
    /** The bytes of the body in Base64. */
    RAW_BODY,
    /** The headers as an object, without those that hold a secret. */
    HEADERS,
    /** The query as an object. */
    QUERY,
    /** The method. */
    METHOD,
    /** The attributes of a CloudEvent; null for other calls. */
    EVENT;

    /** The name in definitions and inputs. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The part with this {@link #text}. */
    public static Optional<InputPart> of(String text) {
        return Arrays.stream(values()).filter(part -> part.text().equals(text)).findFirst();
    }
}
