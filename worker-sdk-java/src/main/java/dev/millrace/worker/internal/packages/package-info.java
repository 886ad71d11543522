/**
 * Packages of Python scripts: which a script needs, in which versions, and where they are on this machine. Versions are
 * chosen once for a script and an interpreter and kept by the scheduler. Packages are installed once for a machine.
 */
@NullMarked
package dev.millrace.worker.internal.packages;

import org.jspecify.annotations.NullMarked;
