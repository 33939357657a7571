"""Put the manifest into a wheel: the hash of every file in it, as `pitboss verify-install` compares them."""

import importlib.util
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ManifestHook(BuildHookInterface[Any]):
    """Runs when a wheel is built; an editable install runs from its sources and has no manifest."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Hash what goes into the wheel."""
        if version == "editable":
            return
        installation = _load(Path(self.root) / "src" / "pitboss" / "installation.py")
        hashes = {
            Path(included.distribution_path).relative_to("pitboss").as_posix(): installation.hash_of_file(
                Path(included.path)
            )
            for included in self.build_config.builder.recurse_included_files()
            if Path(included.distribution_path).parts[0] == "pitboss"
        }
        file = Path(tempfile.mkdtemp(prefix="pitboss-manifest-")) / installation.MANIFEST
        file.write_text(installation.manifest_text(self.metadata.version, hashes), encoding="utf-8")
        build_data["force_include"][str(file)] = f"pitboss/{installation.MANIFEST}"


def _load(file: Path) -> Any:
    """Load one module of the sources; the package itself needs what a build does not have."""
    spec = importlib.util.spec_from_file_location("pitboss_installation", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
