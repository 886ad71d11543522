/** What an upgrade of a running installation keeps. */
@NullMarked
package dev.millrace.e2e.upgrade;

import org.jspecify.annotations.NullMarked;
