/** What a workspace may use of the installation. */
@NullMarked
package dev.millrace.gateway.quota;

import org.jspecify.annotations.NullMarked;
