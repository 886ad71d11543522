package dev.millrace.scheduler.trigger;

/** Thrown while nobody can listen for a trigger. The message is a sentence for the author of the trigger. */
public final class ListenTrouble extends Exception {
    private static final long serialVersionUID = 1;

    public ListenTrouble(String sentence) {
        super(sentence, null, false, false);
    }
}
