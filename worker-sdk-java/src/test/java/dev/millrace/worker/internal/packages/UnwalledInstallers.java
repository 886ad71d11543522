package dev.millrace.worker.internal.packages;

import java.util.List;
import java.util.Map;

/** Installers without a sandbox, for tests. */
final class UnwalledInstallers {
    private UnwalledInstallers() {}

    static Installers with(Map<String, String> variables) {
        return with(variables, List.of());
    }

    /** @param beginning of command lines */
    static Installers with(Map<String, String> variables, List<String> beginning) {
        return new Installers(variables, beginning, PackageHosts.of(List.of(), variables), InstallerSandbox.NONE);
    }
}
