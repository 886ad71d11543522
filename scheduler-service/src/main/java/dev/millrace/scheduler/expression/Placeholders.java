package dev.millrace.scheduler.expression;

/** Recognizes inputs that may hold placeholders of secrets and resources, without parsing them. */
public final class Placeholders {
    private static final String OPEN = "${{ ";

    private Placeholders() {}

    /**
     * Whether a JSON text may hold the {@link Root.Reference#placeholder} of a secret or resource. A caller can write
     * such a text as well, so only the definition of the step says whether there is one.
     */
    public static boolean mayBeIn(String json) {
        for (int open = json.indexOf(OPEN); open >= 0; open = json.indexOf(OPEN, open + OPEN.length())) {
            if (begins(json, open, ReferenceKind.SECRET) || begins(json, open, ReferenceKind.RESOURCE)) {
                return true;
            }
        }
        return false;
    }

    private static boolean begins(String json, int open, ReferenceKind kind) {
        return json.startsWith(kind.root(), open + OPEN.length());
    }
}
