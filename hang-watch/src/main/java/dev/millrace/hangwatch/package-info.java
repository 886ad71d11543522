/** Ends test processes that hang. Modules need the artifact for their tests only; nothing has to call it. */
@NullMarked
package dev.millrace.hangwatch;

import org.jspecify.annotations.NullMarked;
