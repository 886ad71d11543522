package dev.millrace.worker.internal.packages;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    private InstallerVariables() {}

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
