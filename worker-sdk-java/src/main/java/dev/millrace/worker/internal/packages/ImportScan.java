package dev.millrace.worker.internal.packages;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A quick look at Python source: whether it declares packages (PEP 723), and which modules it may import. It sees all
 * imports, and takes some text for imports, for example in documentation.
 */
final class ImportScan {
    /** The line that begins metadata, as PEP 723 defines it. */
    private static final Pattern METADATA = Pattern.compile("(?m)^# /// script\\s*$");

    private static final Pattern IMPORT = Pattern.compile("(?m)(?:^|[;:])[ \\t]*import[ \\t]+([^\\n;#]+)");
    private static final Pattern FROM = Pattern.compile("(?m)(?:^|[;:])[ \\t]*from[ \\t]+([A-Za-z_]\\w*)");
    private static final Pattern MODULE = Pattern.compile("[^\\W\\d]\\w*", Pattern.UNICODE_CHARACTER_CLASS);

    private ImportScan() {}

    static boolean declaresPackages(String source) {
        return METADATA.matcher(source).find();
    }

    /** Names of top-level modules that the source may import. */
    static Set<String> modules(String source) {
        var modules = new TreeSet<String>();
        String joined = source.replace("\\\r\n", " ").replace("\\\n", " ");
        Matcher imports = IMPORT.matcher(joined);
        while (imports.find()) {
            for (String imported : imports.group(1).split(",", -1)) {
                Matcher module = MODULE.matcher(imported.strip());
                if (module.lookingAt()) {
                    modules.add(module.group());
                }
            }
        }
        Matcher froms = FROM.matcher(joined);
        while (froms.find()) {
            modules.add(froms.group(1));
        }
        return modules;
    }
}
