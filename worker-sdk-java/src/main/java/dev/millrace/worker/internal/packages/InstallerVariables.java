package dev.millrace.worker.internal.packages;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** What programs that install packages for Deno and Bun see of the worker's variables. */
final class InstallerVariables {
    /** Variables with which people configure proxies, and what programs need at all. */
    private static final List<String> PASSED = List.of(
            "PATH",
            "HOME",
            "LANG",
            "TMPDIR",
            "HTTP_PROXY",
            "HTTPS_PROXY",
            "ALL_PROXY",
            "NO_PROXY",
            "http_proxy",
            "https_proxy",
            "all_proxy",
            "no_proxy");

    /** What programs of the system need. */
    private static final List<String> OF_SYSTEM = List.of("PATH", "LANG", "LD_LIBRARY_PATH");

    private InstallerVariables() {}

    /** What a program needs that fetches nothing. */
    static Map<String, String> ofSystem(Map<String, String> given) {
        Map<String, String> variables = new HashMap<>();
        OF_SYSTEM.forEach(name -> Optional.ofNullable(given.get(name)).ifPresent(value -> variables.put(name, value)));
        return variables;
    }

    /** @param others names of the program's own variables */
    static Map<String, String> of(Map<String, String> given, Pattern others) {
        Map<String, String> variables = new HashMap<>();
        given.forEach((name, value) -> {
            if (PASSED.contains(name) || others.matcher(name).matches()) {
                variables.put(name, value);
            }
        });
        variables.put("NO_COLOR", "1");
        return variables;
    }
}
