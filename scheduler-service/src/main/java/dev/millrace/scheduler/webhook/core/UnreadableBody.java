package dev.millrace.scheduler.webhook.core;

/** Thrown while a body is read that is not what its content type says. The message is a sentence for the caller. */
final class UnreadableBody extends Exception {
    private static final long serialVersionUID = 1;

    UnreadableBody(String sentence) {
        super(sentence, null, false, false);
    }
}
