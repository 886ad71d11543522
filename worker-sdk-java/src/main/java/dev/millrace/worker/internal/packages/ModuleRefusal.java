package dev.millrace.worker.internal.packages;

/** Says why no package is inferred for a module, and what its author can do. */
final class ModuleRefusal {
    private static final String DECLARE =
            "Declare the package that has it at the head of the script, with all others that it needs (PEP 723).";

    private ModuleRefusal() {}

    /** The sentence for a namespace, with one of its packages as an example. */
    static String ofNamespace(String module, String head, String exampleModule, String examplePackage) {
        return "No package was inferred for the import of " + module + ": many packages share the namespace " + head
                + ", such as " + examplePackage + " for " + exampleModule + ", and the one called " + head
                + " would be another. " + DECLARE;
    }

    /** The sentence for an entry of the file {@code module-refusals.properties}, which describes the kinds. */
    static String sentence(String module, String entry) {
        String[] words = entry.split(" ", 3);
        String kind = words[0];
        String rest = entry.substring(kind.length()).strip();
        return "No package was inferred for the import of " + module + ": "
                + switch (kind) {
                    case "own" ->
                        "people name files of their own like this, and a package of this name would be somebody else's. If"
                                + " it is a file, deploy the script again with it. Else declare the package at the head of"
                                + " the script (PEP 723).";
                    case "python2" -> "it is a module of Python 2. Python 3 has " + rest + " in its place.";
                    case "removed" ->
                        "it is not in Python since " + words[1] + ". "
                                + (words.length > 2
                                        ? "The package " + words[2]
                                                + " has it: declare that at the head of the script, with all"
                                                + " others that it needs (PEP 723)."
                                        : "Change the script, or let it ask for an older Python, as in # millrace: python=<"
                                                + words[1] + ".");
                    case "added" ->
                        "it is in Python since " + words[1]
                                + ". Let the script ask for that, as in # millrace: python=>=" + words[1]
                                + (words.length > 2 ? ", or use the package " + words[2] + "." : ".");
                    case "program" ->
                        "it comes with " + rest
                                + ", and no index has it. Run the script on a worker whose Python has it.";
                    case "shared" -> "many packages share this namespace. " + DECLARE;
                    case "several" -> "there are several with this module: " + rest + ". " + DECLARE;
                    default -> throw new IllegalStateException("kind of refusal: " + kind);
                };
    }
}
