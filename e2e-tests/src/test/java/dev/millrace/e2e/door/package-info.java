/** What can be reached of a running Millrace by those who should not reach it. */
@NullMarked
package dev.millrace.e2e.door;

import org.jspecify.annotations.NullMarked;
