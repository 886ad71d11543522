package dev.millrace.text.script;

import java.util.regex.Pattern;

/** A file of Python as a module. */
public final class PythonModule {
    private static final String ENDING = ".py";

    private PythonModule() {}

    /**
     * Whether a file imports a module that is called like itself, which then is a package and never this file. People name
     * scripts after what they use, such as {@code slack.py}; neither the script nor those beside it lose the package by that.
     *
     * @param path of the file
     * @param source its text
     */
    public static boolean importsItself(String path, String source) {
        String file = path.substring(path.lastIndexOf('/') + 1);
        if (!file.endsWith(ENDING)) {
            return false;
        }
        String name = file.substring(0, file.length() - ENDING.length());
        if (name.isEmpty() || !source.contains(name)) {
            return false;
        }
        String word = Pattern.quote(name) + "\\b";
        return Pattern.compile("(?m)(?:^|[;:])[ \\t]*+(?:from[ \\t]++" + word
                        + "|import[ \\t]++(?:[^\\n;#,]*+,[ \\t]*+)*" + word + ")")
                .matcher(source)
                .find();
    }
}
