package dev.millrace.scheduler.kafka.core;

/** What values of messages become in inputs. */
public enum ValueFormat {
    JSON("a key in UTF-8 with a value in JSON"),
    TEXT("text in UTF-8"),
    BASE64("bytes");

    private final String phrase;

    ValueFormat(String phrase) {
        this.phrase = phrase;
    }

    /** What a message must be, in a sentence. */
    public String phrase() {
        return phrase;
    }
}
