package dev.millrace.cli.output;

import java.util.Map;

/** The launcher that has started this process. Hints name it as it was called, so that people can paste them. */
public final class Launcher {
    /** How the launcher was called: {@code millrace} if the shell found it, else its path as given. */
    public static final String NAME = nameIn(System.getenv());

    private static final String VARIABLE = "MILLRACE_COMMAND";
    private static final String NAME_DEFAULT = "./millrace";

    private Launcher() {}

    static String nameIn(Map<String, String> environment) {
        String name = environment.getOrDefault(VARIABLE, "");
        return name.isEmpty() ? NAME_DEFAULT : name;
    }
}
