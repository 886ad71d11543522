package dev.millrace.scheduler.workspace.core;

/** State of a workspace that is not deleted. */
public enum WorkspaceState {
    /** Accepts work. */
    ACTIVE("active"),
    /** Can be read, but accepts neither work nor changes. */
    ARCHIVED("archived"),
    /** Is being deleted. */
    DELETING("deleting");

    private final String text;

    WorkspaceState(String text) {
        this.text = text;
    }

    /** Returns the text in the database. */
    public String text() {
        return text;
    }

    /** Returns the state with this text in the database. */
    public static WorkspaceState of(String text) {
        for (WorkspaceState state : values()) {
            if (state.text.equals(text)) {
                return state;
            }
        }
        throw new IllegalArgumentException("\"" + text + "\" is no state of a workspace");
    }
}
