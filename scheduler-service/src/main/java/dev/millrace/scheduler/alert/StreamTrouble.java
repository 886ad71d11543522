package dev.millrace.scheduler.alert;

/** Thrown if events cannot be sent in order now. The message is a sentence for whoever has set the alert. */
final class StreamTrouble extends Exception {
    private static final long serialVersionUID = 1;

    StreamTrouble(String sentence) {
        super(sentence, null, false, false);
    }

    String sentence() {
        return String.valueOf(getMessage());
    }
}
